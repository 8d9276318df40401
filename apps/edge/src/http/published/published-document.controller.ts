import { Controller, Get, Param } from '@nestjs/common';
import { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { Open } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { ServiceDocuments } from '../../adapters/service-documents.ts';
import { publishedDocument } from './published-document.ts';

/** `PublishedGateway` has checked that there is such an API. */
@Controller('published/:apiId/:stage')
@Open()
export class PublishedDocumentController {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly config: Config,
  ) {}

  @Get('openapi.json')
  @Summary('Get the OpenAPI document of one published bot.')
  @Answers(
    200,
    { type: 'object', properties: { openapi: { type: 'string' } }, required: ['openapi'] },
    { description: 'OpenAPI 3.1 document.' },
  )
  @Refuses('service_unavailable', 503)
  document(@Param('apiId') apiId: string, @Param('stage') stage: string) {
    const product = this.documents.openApi();
    if (!product || this.documents.missing().length > 0) {
      throw refuse('unavailable', 'service_unavailable', 'A service has not started yet. Try again.', { retry_after: 1 });
    }
    const { publicBaseUrl, publishedDomain } = this.config;
    const below = publishedDomain === null ? [] : [`https://${apiId}.${publishedDomain}/${stage}`];
    return publishedDocument(product, [`${publicBaseUrl}/published/${apiId}/${stage}`, ...below]);
  }
}
