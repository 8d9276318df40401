import { chosenTranslation } from './index.ts';

/** The titles of the starters of the bot that Parlance creates at its start. Its documents are English, and so are its questions and answers. */
export interface GuideStarters {
  readonly 'Give a bot knowledge': string;
  readonly 'Connect a model': string;
  readonly 'Publish a bot': string;
}

const GUIDE = 'Parlance Guide';

/** The title of a bot's starter, in the chosen language if it is the guide's own. */
export function starterTitle(botTitle: string | undefined, starter: string): string {
  const titles = botTitle === GUIDE ? chosenTranslation()?.guideStarters : undefined;
  return titles !== undefined && Object.hasOwn(titles, starter) ? titles[starter as keyof GuideStarters] : starter;
}
