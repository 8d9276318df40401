import type { PersonalToken } from '@parlance/client/types';
import type { AccountMessages } from '../../../messages/account-messages.ts';
import { formatAge, formatDate, formatTime } from '../../../messages/format.ts';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { isScope } from './token-form.ts';

type Texts = AccountMessages['tokens'];

/** The columns of a list of access tokens. */
export const columnsOf = (texts: Texts, onRevoke: (token: PersonalToken) => void): Column<PersonalToken>[] => [
  {
    id: 'description',
    name: texts.description,
    cell: ({ description, scopes, allowed_ip_ranges: ranges }) => (
      <div className="min-w-48 py-0.5">
        <p className="font-medium">{description}</p>
        <p className="text-xs text-muted">{scopes.map((scope) => (isScope(scope) ? texts.scopeTexts[scope] : scope)).join(' · ')}</p>
        {ranges.length > 0 && <p className="text-xs text-muted">{texts.onlyFrom(ranges.join(', '))}</p>}
      </div>
    ),
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
      <Button size="small" onPress={() => onRevoke(token)} aria-label={texts.revokeOf(token.description)}>
        {texts.revoke}
      </Button>
    ),
  },
];
