import { Controller, Get, Header } from '@nestjs/common';
import { Config } from '@parlance/config';
import { asyncApiDocument, publicEvents } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Open } from '@parlance/http';
import { VERSION } from '@parlance/foundation';
import { ServiceDocuments } from '../../adapters/service-documents.ts';
import { keptFor } from './kept-for.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The bytes of a document, serialized once: it has about 1 MB, any client may request it, and serializing it blocks the event loop for 15 ms. */
const bytesOf = keptFor((document: object) => Buffer.from(JSON.stringify(document)));

@Controller()
@Open()
export class DocumentsController {
  private readonly asyncApi: object;

  constructor(
    private readonly documents: ServiceDocuments,
    { kafkaPrefix }: Config,
  ) {
    this.asyncApi = asyncApiDocument(publicEvents, VERSION, kafkaPrefix);
  }

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  @Summary('Get the OpenAPI document of this API. The page /docs shows it.')
  @Answers(
    200,
    { type: 'object', properties: { openapi: { type: 'string' } }, required: ['openapi'] },
    { description: 'OpenAPI 3.1 document.' },
  )
  @Refuses('service_unavailable', 503)
  openApiDocument(): Buffer {
    const document = this.documents.openApi();
    if (!document || this.documents.missing().length > 0) {
      throw refuse('unavailable', 'service_unavailable', 'A service has not started yet. Try again.', { retry_after: 1 });
    }
    return bytesOf(document);
  }

  @Get('asyncapi.json')
  @Header('content-type', JSON_TYPE)
  @Summary('Get the AsyncAPI document of the public events.')
  @Answers(
    200,
    { type: 'object', properties: { asyncapi: { type: 'string' } }, required: ['asyncapi'] },
    { description: 'AsyncAPI 3 document.' },
  )
  asyncApiDocument(): Buffer {
    return bytesOf(this.asyncApi);
  }
}
