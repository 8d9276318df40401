import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, type Host, KeepsNothing } from '@parlance/foundation';
import { PublicationController } from './http/publication.controller.ts';
import { FindKnownBotById, knownBots } from './projections/known-bots.ts';

@Module({})
export class PublicationModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: PublicationModule,
      imports: [await FoundationModule.of(host, { name: 'publication', projections: [], foreign: [knownBots], publish: () => [] })],
      controllers: [PublicationController, ErasuresController],
      // Whose bots these are is an id; they go when the bots service says that they are deleted.
      providers: [FindKnownBotById, { provide: Erasing, useClass: KeepsNothing }],
    };
  }
}
