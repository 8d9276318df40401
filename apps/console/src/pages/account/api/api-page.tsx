import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Loaded } from '../../../ui/states.tsx';
import { AccountFrame } from '../account-frame.tsx';
import { ModelsSection } from './models-section.tsx';
import { OwnCalls } from './own-calls.tsx';
import { OwnTokens } from './own-tokens.tsx';
import { SnippetsSection } from './snippets-section.tsx';

/** More than a user may have. */
const MOST_TOKENS = 1_000;
const TOKENS_KEY = ['personal-tokens', 'all'];

/** What a user needs to call models from programs. */
export function ApiPage() {
  const { api: texts } = useAccountMessages();
  const [chosen, setChosen] = useState('');
  const examples = useRef<HTMLDivElement>(null);
  const use = (id: string) => {
    setChosen(id);
    examples.current?.focus();
  };
  const tokens = useQuery({
    queryKey: TOKENS_KEY,
    queryFn: ({ signal }) => parlance.api.get('/user/me/tokens', { query: { limit: MOST_TOKENS }, signal }),
  });
  const models = useQuery({
    queryKey: ['callable-models'],
    queryFn: ({ signal }) => parlance.api.get('/user/me/models', { signal }),
    staleTime: 60_000,
  });
  return (
    <AccountFrame>
      <p className="max-w-2xl text-sm text-muted">{texts.text}</p>
      <Loaded query={tokens}>
        {(own) => <OwnTokens tokens={own.tokens} read={() => queryClient.invalidateQueries({ queryKey: ['personal-tokens'] })} />}
      </Loaded>
      <Loaded query={models}>
        {(callable) => (
          <>
            <ModelsSection models={callable.models} onUse={use} />
            {callable.models.length > 0 && (
              <div ref={examples} tabIndex={-1} className="outline-none">
                <SnippetsSection models={callable.models} chosen={chosen} onChoose={setChosen} />
              </div>
            )}
          </>
        )}
      </Loaded>
      <OwnCalls tokens={tokens.data?.tokens ?? []} models={models.data?.models ?? []} />
    </AccountFrame>
  );
}
