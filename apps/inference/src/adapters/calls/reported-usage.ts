import type { Reported } from '@parlance/chat-models';
import { tokensHeard } from '../../commands/audio-tokens.ts';
import type { CallFormat } from './call-formats.ts';

/** Usage as a provider reports it in its own format. */
type Report = Readonly<Record<string, unknown>>;

const numberIn = (report: Report, name: string): number | undefined => (typeof report[name] === 'number' ? report[name] : undefined);
const objectIn = (report: Report, name: string): Report =>
  typeof report[name] === 'object' && report[name] !== null ? (report[name] as Report) : {};

/** Merges the reports of a stream: later numbers replace earlier ones. */
export const merged = (earlier: Report | null, later: unknown): Report | null => {
  if (typeof later !== 'object' || later === null) return earlier;
  const known = Object.entries(later).filter(([, value]) => value !== null);
  return { ...earlier, ...Object.fromEntries(known) };
};

const itsTokens = (report: Report): Reported => ({
  inputTokens: {
    total: numberIn(report, 'input_tokens'),
    cacheRead: numberIn(objectIn(report, 'input_tokens_details'), 'cached_tokens'),
    cacheWrite: numberIn(objectIn(report, 'input_tokens_details'), 'cache_write_tokens'),
  },
  outputTokens: { total: numberIn(report, 'output_tokens') },
});

const readers: Readonly<Record<CallFormat, (report: Report) => Reported>> = {
  openai: (report) => ({
    inputTokens: {
      total: numberIn(report, 'prompt_tokens'),
      cacheRead: numberIn(objectIn(report, 'prompt_tokens_details'), 'cached_tokens'),
      cacheWrite: numberIn(objectIn(report, 'prompt_tokens_details'), 'cache_write_tokens'),
    },
    outputTokens: { total: numberIn(report, 'completion_tokens') },
  }),
  /** Its input does not include what is cached. */
  anthropic(report) {
    const cacheRead = numberIn(report, 'cache_read_input_tokens') ?? 0;
    const cacheWrite = numberIn(report, 'cache_creation_input_tokens') ?? 0;
    const input = numberIn(report, 'input_tokens');
    return {
      inputTokens: { total: input === undefined ? undefined : input + cacheRead + cacheWrite, cacheRead, cacheWrite },
      outputTokens: { total: numberIn(report, 'output_tokens') },
      raw: { cache_creation: objectIn(report, 'cache_creation') },
    };
  },
  responses: itsTokens,
  images: itsTokens,
  speech: itsTokens,
  /** Audio may be billed by its duration. */
  transcription(report) {
    const seconds = Number(report['seconds']);
    return report['type'] === 'duration' ? { inputTokens: { total: tokensHeard(seconds) }, outputTokens: {} } : itsTokens(report);
  },
  /** Jina and vLLM report `usage`, Cohere `meta`. */
  rerank: (report) => ({
    inputTokens: {
      total:
        numberIn(report, 'total_tokens') ??
        numberIn(objectIn(report, 'billed_units'), 'input_tokens') ??
        numberIn(objectIn(report, 'tokens'), 'input_tokens'),
    },
    outputTokens: {},
  }),
  moderation: (report) => ({ inputTokens: { total: numberIn(report, 'prompt_tokens') }, outputTokens: {} }),
};

/** The report in the form of the AI SDK. */
export const reportedIn = (format: CallFormat, report: Report): Reported => readers[format](report);
