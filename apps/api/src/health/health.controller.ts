import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Open } from '../access/open.js';
import { Metrics } from '../telemetry/metrics.js';
import { Readiness } from './readiness.js';

@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  @Get('healthz')
  @Open('asked by whatever restarts the process')
  alive(@Res() response: Response): void {
    response.json({ status: 'ok' });
  }

  @Get('readyz')
  @Open('asked by whatever sends requests here')
  async ready(@Res() response: Response): Promise<void> {
    const { ready, checks } = await this.readiness.report();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', checks });
  }

  @Get('metrics')
  @Open('read by Prometheus; holds counts only')
  async prometheus(@Res() response: Response): Promise<void> {
    response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }
}
