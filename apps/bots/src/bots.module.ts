import { type DynamicModule, Module } from '@nestjs/common';
import { Upcasters } from '@parlance/event-store';
import { Erasing, ErasuresController, FoundationModule, type Host } from '@parlance/foundation';
import { BotDeletion } from './commands/bot-deletion.ts';
import { InstallationOffers } from './adapters/installation-offers.ts';
import { PageModels } from './adapters/page-models.ts';
import { PictureFiles } from './adapters/picture-files.ts';
import { YamlReader } from './adapters/yaml/yaml-reader.ts';
import { BotWriter } from './commands/bot-writer.ts';
import { UploadNotes } from './commands/upload-notes.ts';
import { publishBots } from './contracts/bots-events.ts';
import { upcasts } from './domain/earlier-events.ts';
import { AdminBotsController } from './http/admin-bots.controller.ts';
import { BotAnswers } from './http/bot-answers.ts';
import { BotPicturesController } from './http/bot-pictures.controller.ts';
import { BotHistoryController } from './http/bot-history.controller.ts';
import { BotListController } from './http/bot-list.controller.ts';
import { BotsOfModelController } from './http/bots-of-model.controller.ts';
import { BotController } from './http/bot.controller.ts';
import { InternalBotFilesController } from './http/transfer/internal-bot-files.controller.ts';
import { InternalBotImportsController } from './http/internal-bot-imports.controller.ts';
import { InternalBotsController } from './http/internal-bots.controller.ts';
import { InternalHoldsController } from './http/internal-holds.controller.ts';
import { InternalReservationsController } from './http/internal-reservations.controller.ts';
import { InternalSeenTitlesController } from './http/internal-seen-titles.controller.ts';
import { StoreController } from './http/store.controller.ts';
import { EraseBotsWhenUserErased } from './policies/erase-bots-when-user-erased.ts';
import { MakeGuideBotWhenFirstAdminIsMade } from './policies/make-guide-bot-when-first-admin-is-made.ts';
import { ForgetGroupWhenGroupDeleted } from './policies/forget-group-when-group-deleted.ts';
import { RemoveTextsAndKnowledgeWhenBotDeleted } from './policies/remove-texts-and-knowledge-when-bot-deleted.ts';
import { promptParts } from './prompts.ts';
import { botHistory } from './projections/bot-history.ts';
import { lastTitles } from './projections/deleted/last-titles.ts';
import { botUses } from './projections/bot-uses.ts';
import { bots } from './projections/bots/bots.ts';
import { OpenedSources } from './projections/opened-sources.ts';
import { OpenedTexts } from './projections/opened-texts.ts';
import { Popularity } from './projections/popularity.ts';
import { promptList } from './projections/prompts/prompts.ts';
import { recentBots } from './projections/recent-bots.ts';
import { shelves } from './projections/shelves.ts';
import { StoreIndex } from './projections/store-index.ts';
import { Store } from './projections/store.ts';
import { KnowledgeController } from './http/knowledge.controller.ts';
import { KnowledgeChecks } from './http/knowledge-checks.ts';
import { OfferChecks } from './http/offer-checks.ts';
import { DuplicateController } from './http/transfer/duplicate.controller.ts';
import { ExportController } from './http/transfer/export.controller.ts';
import { ImportController } from './http/transfer/import.controller.ts';
import { ImportFiles } from './http/transfer/import-files.ts';
import { ImportFitting } from './http/transfer/import-fitting.ts';
import { UploadsController } from './http/uploads.controller.ts';
import { KnowledgeModule } from './knowledge.module.ts';
import { SyncKnowledgeOnSchedule } from './policies/sync-knowledge-on-schedule.ts';
import { knowledge } from './projections/knowledge/knowledge.ts';
import { Retrieval } from './projections/retrieval.ts';
import { knowledgeUploads } from './projections/uploads.ts';
import { BotPictures } from './workflows/bot-pictures.ts';
import { KnowledgeCleanUp } from './workflows/knowledge-clean-up.ts';
import { KnowledgeRemoval } from './workflows/knowledge-removal.ts';
import { GuideBot } from './workflows/guide-bot.ts';
import { ModelUses } from './workflows/model-uses.ts';
import { IndexMaking } from './workflows/index-making.ts';
import { PublicationReservation } from './workflows/publication-reservation.ts';
import { SyncRun } from './workflows/sync-run.ts';
import { SyncRuns } from './workflows/sync-runs.ts';
import { FileCopies } from './workflows/transfer/file-copies.ts';
import { FileListing } from './workflows/transfer/file-listing.ts';
import { Transfers } from './workflows/transfer/transfers.ts';

@Module({})
export class BotsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: BotsModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'bots',
          projections: [bots, botHistory, shelves, knowledge, knowledgeUploads, lastTitles, promptList],
          foreign: [botUses, recentBots],
          publish: publishBots,
          upcasters: new Upcasters(upcasts),
          storesFiles: true,
        }),
        KnowledgeModule.of(host),
      ],
      controllers: [
        BotController,
        BotListController,
        BotHistoryController,
        StoreController,
        AdminBotsController,
        BotsOfModelController,
        InternalBotFilesController,
        InternalBotImportsController,
        InternalBotsController,
        InternalHoldsController,
        InternalReservationsController,
        InternalSeenTitlesController,
        ErasuresController,
        RemoveTextsAndKnowledgeWhenBotDeleted,
        KnowledgeController,
        UploadsController,
        BotPicturesController,
        DuplicateController,
        ExportController,
        ImportController,
        ForgetGroupWhenGroupDeleted,
        MakeGuideBotWhenFirstAdminIsMade,
        ...promptParts.controllers,
      ],
      providers: [
        BotWriter,
        BotDeletion,
        UploadNotes,
        BotAnswers,
        OpenedTexts,
        OpenedSources,
        StoreIndex,
        Store,
        Popularity,
        KnowledgeChecks,
        InstallationOffers,
        OfferChecks,
        PageModels,
        Retrieval,
        ModelUses,
        IndexMaking,
        SyncRun,
        SyncRuns,
        Transfers,
        FileListing,
        ImportFiles,
        ImportFitting,
        { provide: YamlReader, useFactory: () => new YamlReader() },
        FileCopies,
        PictureFiles,
        BotPictures,
        GuideBot,
        KnowledgeRemoval,
        KnowledgeCleanUp,
        PublicationReservation,
        SyncKnowledgeOnSchedule,
        ...promptParts.providers,
        { provide: Erasing, useClass: EraseBotsWhenUserErased },
      ],
    };
  }
}
