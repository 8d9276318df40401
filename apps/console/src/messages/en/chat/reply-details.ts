import { locale } from '../../locale.ts';

/** How a reply was made. */
export const replyDetails = {
  title: 'How this reply was made',
  inputTokens: 'Input tokens',
  cachedTokens: 'Of these, from the cache',
  outputTokens: 'Output tokens',
  estimated: 'estimated',
  cost: 'Cost',
  priceFrom: 'Price since',
  firstToken: 'Time to first word',
  totalTime: 'Total time',
  millis: (millis: number) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: 'Bot version',
  tries: 'Provider calls',
  toolCalls: 'Tools',
  guardrailVerdict: 'Guardrail',
  verdict: { passed: 'Passed', blocked: 'Replaced the reply', masked: 'Masked parts of the reply' },
};
