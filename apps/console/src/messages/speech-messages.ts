import { speech } from './en/chat/speech.ts';
import { hookOf } from './index.ts';

/** The texts about speech, loaded with its buttons. */
export const useSpeechMessages = hookOf('speech', speech);
