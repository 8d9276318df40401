import { type BotText, DEFAULT_SETTINGS } from './configuration.ts';
import { PRIVATE } from './sharing.ts';

type Fields = Readonly<Record<string, unknown>>;

const clear = (text: unknown): BotText | null => (typeof text === 'string' && text !== '' ? { clear: text } : null);

/** Up to release 0.2, texts were stored in plain text, and each bot was private. */
const withConfiguration = ({ ownerUserId, title, description, instruction }: Fields) => ({
  ownerUserId,
  configuration: {
    title: { clear: title },
    description: clear(description),
    instruction: clear(instruction),
    quickStarters: null,
    settings: DEFAULT_SETTINGS,
  },
});

export const upcasts: Readonly<Record<string, readonly ((fields: Fields) => Fields)[]>> = {
  BotCreated: [withConfiguration],
  BotDeleted: [(fields: Fields) => ({ ...fields, by: fields['ownerUserId'], sharing: PRIVATE })],
  BotDeletedWithOwner: [(fields: Fields) => ({ ...fields, sharing: PRIVATE })],
};
