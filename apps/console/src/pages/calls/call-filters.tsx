import { ListFilter } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { localTime, secondsOf } from '../../calendar/local-time.ts';
import { useCallMessages } from '../../messages/call-messages.ts';
import { Button } from '../../ui/button.tsx';
import { type Option, Select, TextField } from '../../ui/fields/index.ts';
import { isReversed } from '../admin/operations/audit/audit-search.ts';
import { CALL_STATUSES, type CallsSearch, isFiltered } from './calls-search.ts';

interface Props {
  readonly search: CallsSearch;
  readonly onApply: (search: CallsSearch) => void;
  readonly tokens: readonly Option[];
  readonly models: readonly Option[];
  /** A field for the user, for administrators. */
  readonly userField?: (userId: string, onChange: (userId: string) => void) => ReactNode;
}

const textOf = (text: string): string | undefined => text.trim() || undefined;

/** The form of the filters. They are applied by changing the address, and the list follows it. */
export function CallFilters({ search, onApply, tokens, models, userField }: Props) {
  const texts = useCallMessages();
  const [user, setUser] = useState(search.user ?? '');
  const [token, setToken] = useState(search.token_id ?? '');
  const [model, setModel] = useState(search.model ?? '');
  const [status, setStatus] = useState<string>(search.status ?? '');
  const [costCentre, setCostCentre] = useState(search.cost_centre ?? '');
  const [tag, setTag] = useState(search.tag ?? '');
  const [from, setFrom] = useState(localTime(search.start_time));
  const [until, setUntil] = useState(localTime(search.end_time));
  const [isChecked, setChecked] = useState(false);
  /** On phones the form is closed at first. */
  const [isOpen, setOpen] = useState(false);
  const isWrong = isReversed(secondsOf(from), secondsOf(until));
  const apply = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isWrong) return;
    onApply({
      user: textOf(user),
      token_id: textOf(token),
      model: textOf(model),
      status: CALL_STATUSES.find((each) => each === status),
      cost_centre: textOf(costCentre),
      tag: textOf(tag),
      start_time: secondsOf(from),
      end_time: secondsOf(until),
    });
  };
  const statuses = CALL_STATUSES.map((id) => ({ id, name: texts.statuses[id] }));
  return (
    <>
      <Button className="sm:hidden" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <ListFilter aria-hidden className="size-4" />
        {texts.filters}
      </Button>
      <form
        aria-label={texts.filters}
        onSubmit={apply}
        className={`grid grid-cols-4 items-start gap-3 max-lg:grid-cols-2 max-sm:grid-cols-1 ${isOpen ? '' : 'max-sm:hidden'}`}
      >
        {userField?.(user, setUser)}
        <Select label={texts.token} value={token} onChange={setToken} options={withAny(tokens, token, texts.any)} />
        <Select label={texts.model} value={model} onChange={setModel} options={withAny(models, model, texts.any)} />
        <Select label={texts.status} value={status} onChange={setStatus} options={withAny(statuses, status, texts.any)} />
        <TextField label={texts.costCentre} value={costCentre} onChange={setCostCentre} maxLength={128} autoComplete="off" />
        <TextField label={texts.tag} help={texts.tagHelp} value={tag} onChange={setTag} maxLength={256} autoComplete="off" />
        <TextField label={texts.from} type="datetime-local" value={from} onChange={setFrom} />
        <TextField
          label={texts.until}
          type="datetime-local"
          value={until}
          onChange={setUntil}
          error={isChecked && isWrong ? texts.untilBeforeFrom : undefined}
        />
        <div className="flex flex-wrap gap-2 self-end">
          <Button type="submit" look="primary">
            {texts.apply}
          </Button>
          {isFiltered(search) && <Button onPress={() => onApply({})}>{texts.clear}</Button>}
        </div>
      </form>
    </>
  );
}

/** `chosen` comes from the address. It may be a token that was revoked, or a model that is no longer offered. */
function withAny(options: readonly Option[], chosen: string, any: string): readonly Option[] {
  const isListed = chosen === '' || options.some(({ id }) => id === chosen);
  return [{ id: '', name: any }, ...options, ...(isListed ? [] : [{ id: chosen, name: chosen }])];
}
