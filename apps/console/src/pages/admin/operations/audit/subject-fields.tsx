import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { TextField } from '../../../../ui/fields/index.ts';
import { SubjectPicker } from '../budgets/subject-picker.tsx';

/** The user or resource that the audit log is filtered by. `text` is the typed text; null until the user types. */
export interface Chosen {
  readonly id: string;
  readonly text: string | null;
}

interface Props {
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
  /** Names by ID. */
  readonly names: ReadonlyMap<string, string>;
}

const displayedText = ({ id, text }: Chosen, names: Props['names']) => text ?? names.get(id) ?? id;

export function ActorField({ chosen, onChange, names }: Props) {
  const { audit } = useAdminMessages().admin.operations;
  const text = displayedText(chosen, names);
  return <SubjectPicker kind="user" label={audit.actor} text={text} onChange={(typed, id) => onChange({ id, text: typed })} />;
}

const PICKABLE_KINDS = ['user', 'group', 'bot'] as const;

/** Users, groups and bots are found by name, everything else by ID. */
export function ResourceField({ type, chosen, onChange, names }: Props & { readonly type: string }) {
  const { audit, budgets } = useAdminMessages().admin.operations;
  const kind = PICKABLE_KINDS.find((each) => each === type);
  if (kind === undefined)
    return <TextField label={audit.resourceId} value={chosen.id} onChange={(id) => onChange({ id, text: null })} maxLength={128} />;
  const change = (text: string, id: string) => onChange({ id, text });
  const help = kind === 'group' ? budgets.groupSearchHelp : undefined;
  return (
    <SubjectPicker key={kind} kind={kind} text={displayedText(chosen, names)} onChange={change} {...(help !== undefined && { help })} />
  );
}
