import { Controller, type DynamicModule, Get, Inject, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Internal } from '@parlance/http';
import { type DocumentInfo, type OpenApiDocument, serviceDocument } from './service-document.ts';

/** The path at which every service serves its own document to the edge. */
export const DOCUMENT_PATH = '/internal/openapi.json';

const INFO = Symbol('DocumentInfo');

@Internal()
@Controller()
class DocumentController {
  private document: OpenApiDocument | null = null;

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(INFO) private readonly info: DocumentInfo,
  ) {}

  @Get(DOCUMENT_PATH)
  read(): OpenApiDocument {
    return (this.document ??= serviceDocument({ get: () => this.modules }, this.info));
  }
}

/** Serves the OpenAPI document of a service to the edge. */
@Module({})
export class DocumentModule {
  static for(info: DocumentInfo): DynamicModule {
    return {
      module: DocumentModule,
      controllers: [DocumentController],
      providers: [{ provide: INFO, useValue: info }],
    };
  }
}
