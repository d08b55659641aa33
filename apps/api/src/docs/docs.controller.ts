import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Open } from '../access/open.js';
import { Refusal } from '../http/refusal.js';
import { assetPath } from './assets.js';
import { DOCUMENTS, type Documents } from './documents.js';
import { PAGE, PAGE_POLICY, START_SCRIPT } from './page.js';

const READERS = 'describes the service; read before there is a key';

@Controller()
export class DocsController {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  @Get('docs')
  @Open(READERS)
  page(@Res() response: Response): void {
    response.set('content-security-policy', PAGE_POLICY).type('html').send(PAGE);
  }

  @Get('docs/start.js')
  @Open(READERS)
  start(@Res() response: Response): void {
    response.type('text/javascript').send(START_SCRIPT);
  }

  @Get('docs/assets/:name')
  @Open(READERS)
  asset(@Param('name') name: string, @Res() response: Response): void {
    const path = assetPath(name);
    if (!path) throw new Refusal('not_found_error', { message: 'The reference page has no such file.' });
    response.sendFile(path, { maxAge: '1h' });
  }

  @Get('openapi.json')
  @Open(READERS)
  openapi(@Res() response: Response): void {
    response.type('application/json').send(this.documents.openapi);
  }

  @Get('asyncapi.json')
  @Open(READERS)
  asyncapi(@Res() response: Response): void {
    response.type('application/json').send(this.documents.asyncapi);
  }

  @Get('llms.txt')
  @Open(READERS)
  llms(@Res() response: Response): void {
    response.type('text/plain').send(this.documents.llms);
  }
}
