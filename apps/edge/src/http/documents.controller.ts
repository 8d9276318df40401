import { Controller, Get } from '@nestjs/common';
import { asyncApiDocument, publicEvents } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { Open, VERSION } from '@parlance/service-kit';
import { ServiceDocuments } from '../adapters/service-documents.ts';

@Controller()
@Open()
export class DocumentsController {
  private readonly asyncApi = asyncApiDocument(publicEvents, VERSION);

  constructor(private readonly documents: ServiceDocuments) {}

  @Get('openapi.json')
  openApiDocument() {
    const document = this.documents.openApi();
    if (!document || this.documents.missing().length > 0) {
      throw refuse('unavailable', 'service_unavailable', 'A service has not come up yet: try again.', { retry_after: 1 });
    }
    return document;
  }

  @Get('asyncapi.json')
  asyncApiDocument() {
    return this.asyncApi;
  }
}
