import type { comparison as English } from '../../en/chat/comparison.ts';

/** Texts of the replies of several models to one question. */
export const comparison: typeof English = {
  title: 'Comparación de modelos',
  choose: 'Elija la respuesta con la que continúa el chat. Las demás se conservan como versiones.',
  requesting: 'Esperando al modelo…',
  continueWithThis: 'Continuar con esta',
  continueWith: (model) => `Continuar con esta respuesta de ${model}`,
  stop: 'Detener',
  stopOf: (model) => `Detener la respuesta de ${model}`,
  tokens: (input, output) => `${input} tokens de entrada, ${output} de salida`,
  announced: (model, event) => `${model}: ${event}`,
};
