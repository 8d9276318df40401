import { type DynamicModule, Module } from '@nestjs/common';
import { CallerStatements, Clock, Config, FoundationModule, type Host, ServiceCalls, ServiceForward, Timers } from '@parlance/service-kit';
import { AccessTokenVerifier } from './adapters/access-token-verifier.ts';
import { ServiceDocuments } from './adapters/service-documents.ts';
import { AddressRanges } from './http/address-ranges.ts';
import { DocumentsController } from './http/documents.controller.ts';
import { Gateway } from './http/gateway.ts';
import { LearnRoutesFromServices } from './policies/learn-routes-from-services.ts';

@Module({})
export class EdgeModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: EdgeModule,
      imports: [await FoundationModule.of(host, { name: 'edge', projections: [], publish: () => [] })],
      controllers: [DocumentsController],
      providers: [
        { provide: AccessTokenVerifier, useFactory: (calls: ServiceCalls) => new AccessTokenVerifier(calls), inject: [ServiceCalls] },
        { provide: ServiceDocuments, useFactory: (calls: ServiceCalls) => new ServiceDocuments(calls), inject: [ServiceCalls] },
        {
          provide: Gateway,
          useFactory: (
            documents: ServiceDocuments,
            tokens: AccessTokenVerifier,
            statements: CallerStatements,
            services: ServiceForward,
            clock: Clock,
            config: Config,
          ) => {
            const allowed = new AddressRanges([...config.allowedIpV4AddressRanges, ...config.allowedIpV6AddressRanges]);
            return new Gateway(documents, tokens, statements, services, clock, allowed);
          },
          inject: [ServiceDocuments, AccessTokenVerifier, CallerStatements, ServiceForward, Clock, Config],
        },
        {
          provide: LearnRoutesFromServices,
          useFactory: (documents: ServiceDocuments, timers: Timers) => new LearnRoutesFromServices(documents, timers),
          inject: [ServiceDocuments, Timers],
        },
      ],
    };
  }
}
