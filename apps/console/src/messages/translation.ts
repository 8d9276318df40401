import type { administration } from './en/administration.ts';
import type { en } from './en/index.ts';
import type { translation } from './en/translation.ts';
import type { ErrorTexts } from './error-texts.ts';
import type { GuideStarters } from './guide-starters.ts';
import type { KnowledgeReasonTexts } from './knowledge-reason-texts.ts';
import type { ReasonTexts } from './reason-texts.ts';

/** The texts that are needed at the start, in every language. */
export type Messages = typeof en;

/** The groups of texts that English loads with the pages that need them, from the files *-messages.ts. */
export type TextGroups = Readonly<Omit<typeof translation, keyof Messages>>;

/** All texts of a language other than English, without the administration. A language that lacks some does not compile. */
export type Translation = typeof translation & {
  readonly errors: ErrorTexts;
  readonly guideStarters: GuideStarters;
  readonly knowledgeReasons: KnowledgeReasonTexts;
  readonly reasons: ReasonTexts;
};

/** The texts of the pages of administrators. */
export type Administration = typeof administration;
