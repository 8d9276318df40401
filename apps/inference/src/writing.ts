import { GuardrailPrices } from './adapters/pricing/guardrail-prices.ts';
import { Guardrail } from './adapters/guardrail.ts';
import { GuardrailsController } from './http/admin/guardrails.controller.ts';
import { RenewLeasesWhileRepliesAreWritten } from './workflows/claiming/renew-leases-while-replies-are-written.ts';
import { ReplyScheduler } from './workflows/claiming/reply-scheduler.ts';
import { RepliesLifecycle } from './workflows/claiming/replies-lifecycle.ts';
import { TextGuardrails } from './workflows/guardrails/text-guardrails.ts';
import { PromptFilesOf } from './workflows/files/prompt-files.ts';
import { SearchAndGuardrailCharges } from './workflows/writing/search-and-guardrail-charges.ts';
import { ReplyCharges } from './workflows/writing/reply-charges.ts';
import { ReplyGuard } from './workflows/writing/reply-guard.ts';
import { ReplyPrompt } from './workflows/writing/reply-prompt.ts';
import { ReplyWriter } from './workflows/writing/reply-writer.ts';

/** The parts of the module that write replies, and the policies for them. */
export const writing = {
  controllers: [GuardrailsController],
  providers: [
    PromptFilesOf,
    ReplyPrompt,
    Guardrail,
    ReplyGuard,
    TextGuardrails,
    GuardrailPrices,
    SearchAndGuardrailCharges,
    ReplyCharges,
    ReplyWriter,
    ReplyScheduler,
    RepliesLifecycle,
    RenewLeasesWhileRepliesAreWritten,
  ],
};
