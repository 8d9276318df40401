import type { BotImport, ConversationImport } from '@parlance/client/types';
import { chosenTranslation } from './index.ts';

type ReasonOf<Report extends { readonly left_out: readonly { readonly reason: string }[] }> = Report['left_out'][number]['reason'];

/** Why an import leaves something out, and the tools of the product. English shows the server's own text. */
type Reason = ReasonOf<ConversationImport> | ReasonOf<BotImport> | 'calculator' | 'create_image' | 'internet_search' | 'knowledge_search';

export type ReasonTexts = Readonly<Record<Reason, string>>;

/** The sentence of a reason or a tool in the chosen language. The server's text if it is English, or if the language has none. */
export function reasonText(reason: string, english: string): string {
  const reasons = chosenTranslation()?.reasons;
  return reasons !== undefined && Object.hasOwn(reasons, reason) ? reasons[reason as Reason] : english;
}
