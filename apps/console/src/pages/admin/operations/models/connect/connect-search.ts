import { textParam } from '../../../../../app/search-params.ts';

/** `provider`: the provider whose models are listed at once, or whose credentials are asked for. */
export const connectSearch = (raw: Record<string, unknown>): { provider?: string | undefined } => ({
  provider: textParam(raw['provider']),
});
