import { Controller, Get, Header, Param } from '@nestjs/common';
import { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { Open } from '@parlance/http';
import { Answers, type OpenApiDocument, Refuses, Summary } from '@parlance/openapi';
import { ServiceDocuments } from '../../adapters/service-documents.ts';
import { JSON_TYPE } from '../documents/documents.controller.ts';
import { publishedText } from './published-document.ts';

/** Serves the document of one published bot. `PublishedGateway` has checked that the API exists. */
@Controller('published/:apiId/:stage')
@Open()
export class PublishedDocumentController {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly config: Config,
  ) {}

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  @Summary('Get the OpenAPI document of one published bot.')
  @Answers(
    200,
    { type: 'object', properties: { openapi: { type: 'string' } }, required: ['openapi'] },
    { description: 'OpenAPI 3.1 document.' },
  )
  @Refuses('service_unavailable', 503)
  document(@Param('apiId') apiId: string, @Param('stage') stage: string): string {
    return publishedText(this.product(), this.endpoints(apiId, stage));
  }

  /** The addresses of a published bot. */
  endpoints(apiId: string, stage: string): readonly [string, ...string[]] {
    const { publicBaseUrl, publishedDomain } = this.config;
    const below = publishedDomain === null ? [] : [`https://${apiId}.${publishedDomain}/${stage}`];
    return [`${publicBaseUrl}/published/${apiId}/${stage}`, ...below];
  }

  /** The document of the product. Throws `service_unavailable`. */
  product(): OpenApiDocument {
    const product = this.documents.openApi();
    if (!product || this.documents.missing().length > 0) {
      throw refuse('unavailable', 'service_unavailable', 'A service has not started yet. Try again.', { retry_after: 1 });
    }
    return product;
  }
}
