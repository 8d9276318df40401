import { appearance } from './en/bots/appearance.ts';
import { hookOf } from './index.ts';

/** The texts about the icon and the colour of a bot, loaded with its form. */
export const useBotAppearanceMessages = hookOf('appearance', appearance);
