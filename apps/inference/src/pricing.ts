import { ApplyingBudgets } from './adapters/applying-budgets.ts';
import { BorrowedBlocks } from './adapters/borrowed-blocks.ts';
import { Budgets } from './adapters/budgets.ts';
import { EffectivePrices } from './adapters/pricing/effective-prices.ts';
import { ModelPrices } from './adapters/pricing/model-prices.ts';
import { RerankingPrices } from './adapters/pricing/reranking-prices.ts';
import { SearchCharges } from './adapters/pricing/search-charges.ts';
import { ReplyReservations } from './commands/reply-reservations.ts';
import { AdminModelsController } from './http/admin/admin-models.controller.ts';
import { InternalPagesController } from './http/internal-pages.controller.ts';
import { RestatementsController } from './http/admin/restatements.controller.ts';
import { SuspiciousChargesController } from './http/admin/suspicious-charges.controller.ts';
import { ModelChecks } from './workflows/checks/model-checks.ts';
import { PageReadings } from './workflows/page-readings.ts';
import { ChargeCorrections } from './workflows/restatement/charge-corrections.ts';
import { Restating } from './workflows/restatement/restating.ts';

/** The parts of the module that price, check and charge the use of models. */
export const pricing = {
  controllers: [AdminModelsController, InternalPagesController, RestatementsController, SuspiciousChargesController],
  providers: [
    ModelPrices,
    RerankingPrices,
    SearchCharges,
    EffectivePrices,
    Restating,
    ChargeCorrections,
    ModelChecks,
    PageReadings,
    ApplyingBudgets,
    BorrowedBlocks,
    Budgets,
    ReplyReservations,
  ],
};
