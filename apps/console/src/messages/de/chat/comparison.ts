import type { comparison as English } from '../../en/chat/comparison.ts';

/** Texts of the replies of several models to one question. */
export const comparison: typeof English = {
  title: 'Modellvergleich',
  choose: 'Wählen Sie die Antwort aus, mit der es im Chat weitergeht. Die anderen bleiben als Versionen erhalten.',
  requesting: 'Warten auf das Modell …',
  continueWithThis: 'Damit fortfahren',
  continueWith: (model) => `Mit der Antwort von ${model} fortfahren`,
  stop: 'Stoppen',
  stopOf: (model) => `Antwort von ${model} stoppen`,
  tokens: (input, output) => `${input} Eingabe-, ${output} Ausgabetoken`,
  announced: (model, event) => `${model}: ${event}`,
};
