import type { PersonalToken } from '@parlance/client/types';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { Section } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { useTokenActions } from '../tokens/token-actions.tsx';
import { MODELS_SCOPE } from '../tokens/token-form.ts';

interface Props {
  readonly tokens: readonly PersonalToken[];
  /** Reads the tokens again. */
  readonly read: () => Promise<unknown>;
}

const AT_FIRST = [MODELS_SCOPE] as const;

/** The user's tokens that may call models. */
export function OwnTokens({ tokens, read }: Props) {
  const { api: texts } = useAccountMessages();
  const { createButton, list, columns, dialogs } = useTokenActions(read, AT_FIRST);
  return (
    <Section title={texts.tokens} description={texts.tokensText} actions={createButton}>
      <div ref={list} tabIndex={-1} className="outline-none">
        <Table
          label={texts.tokens}
          rows={tokens.filter(({ scopes }) => scopes.includes(MODELS_SCOPE))}
          keyOf={({ token_id }) => token_id}
          columns={columns}
          empty={<EmptyState title={texts.noTokens} text={texts.noTokensText} />}
        />
      </div>
      {dialogs}
    </Section>
  );
}
