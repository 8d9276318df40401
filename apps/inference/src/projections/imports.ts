import { add, type Change, projection, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import type { ImportEvent } from '../domain/conversation-import.ts';

/** The totals of an operator's run. Erasing a conversation does not reduce them. */
export interface ImportTotals {
  conversations: number;
  messages: number;
  nano_dollars: number;
}

/** One row for each name of a run. */
const importRows = table<ImportTotals>('imports');

export const imports = projection<ConversationEvent>({
  name: 'imports',
  version: 1,
  tables: [importRows],
  on: {
    ConversationImported: (event) => totalsChange(event, 1, event.costNanoDollars),
    MessagesImported: (event) => totalsChange(event, 0, 0),
    UseImported: ({ importName, costNanoDollars: nano_dollars }) => [
      add(importRows, importName, { conversations: 1, messages: 0, nano_dollars }, {}),
    ],
  },
});

const NOTHING: ImportTotals = { conversations: 0, messages: 0, nano_dollars: 0 };

const totalsChange = ({ importName, messages, own }: ImportEvent, conversations: number, nanoDollars: number): Change[] =>
  own ? [] : [add(importRows, importName, { conversations, messages: messages.length, nano_dollars: nanoDollars }, {})];

export const ImportedBy = query('ImportedBy', async (models, name: string): Promise<ImportTotals> => {
  return (await models.get(importRows, name)) ?? NOTHING;
});
