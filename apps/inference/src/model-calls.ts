import { MessagesCallsController, ModelCallsController } from './http/calls/calls.controllers.ts';
import { ResponsesCallsController } from './http/calls/responses-calls.controller.ts';
import { CallableModelsController } from './http/calls/callable-models.controller.ts';
import { CallAnswers } from './http/calls/call-answers.ts';
import { AllowedModels } from './workflows/calls/allowed-models.ts';
import { CallLimits } from './workflows/calls/call-limits.ts';
import { CallMemory } from './workflows/calls/call-memory.ts';
import { CallCharges } from './workflows/calls/charging/call-charges.ts';
import { OfflineCalls } from './workflows/calls/offline/offline-calls.ts';
import { CallSums } from './workflows/calls/call-sums.ts';
import { CallRecorder } from './workflows/calls/call-recorder.ts';
import { RecordedCalls } from './workflows/calls/recorded-calls.ts';
import { AdminCallsController, CallLists, OwnCallsController } from './http/calls/call-lists.controllers.ts';
import { CallGuards } from './workflows/calls/guarded/call-guards.ts';
import { GatewayCalls } from './workflows/calls/gateway-calls.ts';
import { InternalLimitsController } from './http/calls/internal-limits.controller.ts';
import { RerankCallsController } from './http/calls/rerank-calls.controller.ts';
import { AnswerCache } from './workflows/calls/cache/answer-cache.ts';
import { MediaCallsController } from './http/calls/media-calls.controller.ts';
import { CallPlans } from './workflows/calls/routes/call-plans.ts';
import { CallTargets } from './workflows/calls/routes/call-targets.ts';
import { StoredResponsesController } from './http/calls/stored-responses.controller.ts';
import { ResponseCalls } from './workflows/calls/stored/response-call.ts';
import { ResponseRemoval } from './workflows/calls/stored/response-removal.ts';
import { StoredResponses } from './workflows/calls/stored/stored-responses.ts';
import { UnheardCalls } from './http/calls/repeats/unheard-calls.ts';
import { RoutedCalls } from './workflows/calls/routes/routed-calls.ts';

/** The parts of the module that serve calls of models by programs, without a bot. */
export const modelCalls = {
  controllers: [
    ModelCallsController,
    MessagesCallsController,
    ResponsesCallsController,
    StoredResponsesController,
    AdminCallsController,
    CallableModelsController,
    OwnCallsController,
    InternalLimitsController,
    RerankCallsController,
    MediaCallsController,
  ],
  providers: [
    AllowedModels,
    AnswerCache,
    CallAnswers,
    CallCharges,
    CallGuards,
    CallLimits,
    CallLists,
    CallMemory,
    CallPlans,
    CallRecorder,
    CallSums,
    CallTargets,
    GatewayCalls,
    OfflineCalls,
    RecordedCalls,
    ResponseCalls,
    ResponseRemoval,
    RoutedCalls,
    StoredResponses,
    UnheardCalls,
  ],
};
