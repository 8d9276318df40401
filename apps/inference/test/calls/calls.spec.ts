import { afterAll, beforeAll } from '@jest/globals';
import { cachedCalls } from './cached-calls.ts';
import { callsByFormat } from './calls-by-format.ts';
import { callsInBudgets, callsWithFees } from './calls-in-budgets.ts';
import { callsInTurn } from './calls-in-turn.ts';
import { type CallsWorld, callsWorld } from './calls-world.ts';
import { guardedCalls } from './guarded-calls.ts';
import { listedCalls } from './listed-calls.ts';
import { manyCalls } from './many-calls.ts';
import { mediaCalls } from './media-calls.ts';
import { passedCalls } from './passed-calls.ts';
import { rerankCalls } from './rerank-calls.ts';
import { responseCalls } from './response-calls.ts';
import { continuedResponses } from './stored/continued-responses.ts';
import { storedResponses } from './stored/stored-responses.ts';
import { transcriptionCalls } from './transcription-calls.ts';
import { translatedCalls } from './translated/openai-calls.ts';
import { translatedMessages } from './translated/anthropic-calls.ts';
import { translatedResponses } from './translated/response-calls.ts';
import { failingTargets } from './failing-targets.ts';
import { routedCalls } from './routed-calls.ts';

// One service for all cases.
let world: CallsWorld;
beforeAll(async () => void (world = await callsWorld()));
afterAll(() => world.stop());

passedCalls(() => world);
callsByFormat(() => world);
callsInTurn(() => world);
responseCalls(() => world);
storedResponses(() => world);
continuedResponses(() => world);
rerankCalls(() => world);
mediaCalls(() => world);
transcriptionCalls(() => world);
translatedCalls(() => world);
translatedMessages(() => world);
translatedResponses(() => world);
routedCalls(() => world);
failingTargets(() => world);
manyCalls(() => world);
callsWithFees(() => world);
callsInBudgets(() => world);
guardedCalls(() => world);
cachedCalls(() => world);
// Brings the clock forward by months.
listedCalls(() => world);
