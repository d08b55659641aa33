import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '../config/load.js';

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/** The address that callers reach this deployment at, for links in answers: as configured, or where the service listens. */
@Injectable()
export class BaseUrl {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_PUBLIC_URL' | 'ASSAY_HOST'>,
  ) {}

  get(): string {
    const { ASSAY_PUBLIC_URL: configured, ASSAY_HOST: bound } = this.config;
    if (configured) return configured.replace(/\/+$/, '');
    const server: Server = this.host.httpAdapter.getHttpServer();
    const { port } = server.address() as AddressInfo;
    const name = ANY_ADDRESS.has(bound) ? '127.0.0.1' : bound;
    return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  }
}
