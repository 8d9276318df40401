import { palette } from './en/shell/palette.ts';
import { hookOf } from './index.ts';

/** The texts of the dialog that Ctrl+K opens, loaded with it. */
export const usePaletteMessages = hookOf('palette', palette);
