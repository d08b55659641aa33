import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The service cannot start for a reason that the operator can change; the message says which. */
export class CannotStart extends Error {}

const REASONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is taken by another program. Set ASSAY_PORT to another one; 0 takes any free port.`,
  EACCES: (_, port) => `This user may not listen on port ${port}. Set ASSAY_PORT to 1024 or higher.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}. Set ASSAY_HOST to one that it has, or to 127.0.0.1.`,
  ENOTFOUND: (host) => `The name ${host} has no address. Set ASSAY_HOST to an address of this machine.`,
};

/** Listens, and returns the address that callers on this machine can use. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''];
      reject(reason ? new CannotStart(reason(host, port)) : error);
    });
    server.listen(port, host, () => {
      const bound = server.address() as AddressInfo;
      const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
      resolve(`http://${shown.includes(':') ? `[${shown}]` : shown}:${bound.port}`);
    });
  });
}
