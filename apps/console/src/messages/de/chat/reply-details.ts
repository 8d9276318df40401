import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

/** How a reply was made. */
export const replyDetails: typeof English = {
  title: 'So entstand diese Antwort',
  inputTokens: 'Eingabetoken',
  cachedTokens: 'Davon aus dem Cache',
  outputTokens: 'Ausgabetoken',
  estimated: 'geschätzt',
  cost: 'Kosten',
  priceFrom: 'Preis seit',
  firstToken: 'Zeit bis zum ersten Wort',
  totalTime: 'Gesamtzeit',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: 'Bot-Version',
  tries: 'Aufrufe beim Anbieter',
  toolCalls: 'Tools',
  guardrailVerdict: 'Guardrail',
  verdict: { passed: 'Bestanden', blocked: 'Antwort ersetzt', masked: 'Teile der Antwort maskiert' },
};
