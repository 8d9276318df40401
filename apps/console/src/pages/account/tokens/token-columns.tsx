import type { PersonalToken } from '@parlance/client/types';
import type { AccountMessages } from '../../../messages/account-messages.ts';
import { formatList, formatAge, formatDate, formatNumber, formatTime } from '../../../messages/format.ts';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { isScope, MODELS_SCOPE } from './token-form.ts';

type Texts = AccountMessages['tokens'];

/** The columns of a list of access tokens. Without `onChange`, the terms cannot be changed there. */
export const columnsOf = (
  texts: Texts,
  onRevoke: (token: PersonalToken) => void,
  onChange?: (token: PersonalToken) => void,
): Column<PersonalToken>[] => [
  {
    id: 'description',
    name: texts.description,
    cell: (token) => <Described token={token} texts={texts} />,
  },
  {
    id: 'used',
    name: texts.lastUsed,
    cell: ({ last_used_time: at }) => (at === null ? texts.never : <span title={formatTime(at)}>{formatAge(at)}</span>),
  },
  { id: 'created', name: texts.created, cell: ({ create_time: at }) => <span className="whitespace-nowrap">{formatDate(at)}</span> },
  {
    id: 'expires',
    name: texts.expires,
    cell: ({ expires_at: at }) =>
      at * 1_000 <= Date.now() ? <Tag tone="warn">{texts.expired}</Tag> : <span className="whitespace-nowrap">{formatDate(at)}</span>,
  },
  {
    id: 'revoke',
    name: texts.revoke,
    isNameHidden: true,
    align: 'end',
    cell: (token) => (
      <div className="flex justify-end gap-2">
        {onChange && token.scopes.includes(MODELS_SCOPE) && (
          <Button size="small" onPress={() => onChange(token)} aria-label={texts.terms.changeOf(token.description)}>
            {texts.terms.change}
          </Button>
        )}
        <Button size="small" onPress={() => onRevoke(token)} aria-label={texts.revokeOf(token.description)}>
          {texts.revoke}
        </Button>
      </div>
    ),
  },
];

function Described({ token, texts }: { readonly token: PersonalToken; readonly texts: Texts }) {
  const { description, scopes, allowed_ip_ranges: ranges } = token;
  const terms = termsOf(token, texts.terms);
  return (
    <div className="min-w-48 py-0.5">
      <p className="font-medium">{description}</p>
      <p className="text-xs text-muted">{scopes.map((scope) => (isScope(scope) ? texts.scopeTexts[scope] : scope)).join(' · ')}</p>
      {terms.length > 0 && <p className="text-xs break-words text-muted">{terms.join(' · ')}</p>}
      {ranges.length > 0 && <p className="text-xs text-muted">{texts.onlyFrom(formatList(ranges))}</p>}
    </div>
  );
}

/** The terms that a token has, as texts. */
function termsOf(token: PersonalToken, texts: Texts['terms']): readonly string[] {
  const { models, requests_per_minute: requests, tokens_per_minute: tokens, max_parallel_requests: parallel, cost_centre, tags } = token;
  return [
    ...(models.length > 0 ? [texts.only(formatList(models))] : []),
    ...(requests === null ? [] : [texts.requestsOf(formatNumber(requests))]),
    ...(tokens === null ? [] : [texts.tokensOf(formatNumber(tokens))]),
    ...(parallel === null ? [] : [texts.parallelOf(formatNumber(parallel))]),
    ...(cost_centre === null ? [] : [texts.chargedTo(cost_centre)]),
    ...(token.cache_ttl_seconds === 0 ? [] : [texts.cachedFor(formatNumber(token.cache_ttl_seconds))]),
    ...Object.entries(tags).map(([name, value]) => (value === '' ? name : `${name}: ${value}`)),
  ];
}
