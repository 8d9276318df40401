import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host, KeepsNothing } from '@parlance/foundation';
import { PublicationController } from './http/publication.controller.ts';
import { KnownBotById, knownBots } from './projections/known-bots.ts';

@Module({})
export class PublicationModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: PublicationModule,
      imports: [await FoundationModule.of(host, { name: 'publication', projections: [], foreign: [knownBots], publish: () => [] })],
      controllers: [PublicationController, ErasuresController],
      // The rows hold user IDs only. They are removed when the bots are deleted.
      providers: [...handlersOf(KnownBotById), { provide: Erasing, useClass: KeepsNothing }],
    };
  }
}
