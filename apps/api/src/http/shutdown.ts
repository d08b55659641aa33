import type { Server } from 'node:http';

/** Takes no new connection, lets calls in flight finish for a while, then closes whatever is left. */
export function closeServer(server: Server, graceMs: number): Promise<'clean' | 'forced'> {
  return new Promise((resolve, reject) => {
    let outcome: 'clean' | 'forced' = 'clean';
    const force = setTimeout(() => {
      outcome = 'forced';
      server.closeAllConnections();
    }, graceMs);
    // A kept-alive connection turns idle only when its last answer is out.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close((error) => {
      clearTimeout(force);
      clearInterval(idle);
      if (error && !('code' in error && error.code === 'ERR_SERVER_NOT_RUNNING')) reject(error);
      else resolve(outcome);
    });
  });
}
