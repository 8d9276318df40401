import { Label, Radio, RadioGroup } from 'react-aria-components';
import { useMessages } from '../../../messages/index.ts';
import { PeoplePicker } from './people-picker.tsx';
import { isIncomplete, type Sharing } from './sharing.ts';

const SCOPES = ['private', 'partial', 'all'] as const;

interface SharingFieldsProps {
  readonly sharing: Sharing;
  readonly onChange: (sharing: Sharing) => void;
  /** What sharing with all users means. */
  readonly allText: string;
  readonly isScopeFixed?: boolean;
}

/** With whom something is shared, and who may edit it. */
export function SharingFields({ sharing, onChange, allText, isScopeFixed = false }: SharingFieldsProps) {
  const texts = useMessages().bots.header.sharing;
  const textOf = { private: texts.privateText, partial: texts.partialText, all: allText };
  return (
    <>
      <RadioGroup
        value={sharing.scope}
        onChange={(scope) => onChange({ ...sharing, scope: scope as Sharing['scope'] })}
        isDisabled={isScopeFixed}
        className="flex flex-col gap-2"
      >
        <Label className="text-xs font-medium">{texts.who}</Label>
        {SCOPES.map((scope) => (
          <Radio
            key={scope}
            value={scope}
            className="group flex min-h-11 cursor-pointer items-start gap-3 rounded-sm border border-line p-3 text-sm data-[selected]:border-accent data-[selected]:bg-accent-soft data-[disabled]:cursor-default"
          >
            <span
              aria-hidden
              className="mt-0.5 size-5 shrink-0 rounded-full border border-control bg-raised group-data-[selected]:border-6 group-data-[selected]:border-accent"
            />
            <span>
              <span className="block font-medium">{texts[scope]}</span>
              <span className="block text-xs text-muted">{textOf[scope]}</span>
            </span>
          </Radio>
        ))}
      </RadioGroup>
      {sharing.scope !== 'private' && <PeoplePicker people={sharing.people} onChange={(people) => onChange({ ...sharing, people })} />}
      {isIncomplete(sharing) && <p className="text-xs text-muted">{texts.needsSomeone}</p>}
    </>
  );
}
