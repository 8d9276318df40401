import { aggregate } from '../bus.ts';
import { rememberedRequest, rememberedRequestStream } from '../domain/remembered-request.ts';

/** The ID is the hash of caller, path and key. */
export const ExecuteRememberedRequest = aggregate('ExecuteRememberedRequest', rememberedRequest, rememberedRequestStream);
