import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

/** How a reply was made. */
export const replyDetails: typeof English = {
  title: 'Cómo se generó esta respuesta',
  inputTokens: 'Tokens de entrada',
  cachedTokens: 'De ellos, de la caché',
  outputTokens: 'Tokens de salida',
  estimated: 'estimado',
  cost: 'Costo',
  priceFrom: 'Precio desde',
  firstToken: 'Hasta la primera palabra',
  totalTime: 'Tiempo total',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: 'Versión del bot',
  tries: 'Llamadas al proveedor',
  toolCalls: 'Herramientas',
  guardrailVerdict: 'Barrera de protección',
  verdict: { passed: 'Superada', blocked: 'Sustituyó la respuesta', masked: 'Enmascaró partes de la respuesta' },
};
