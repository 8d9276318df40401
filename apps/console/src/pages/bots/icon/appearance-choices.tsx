import type { PrivateBot } from '@parlance/client/types';
import { Check } from 'lucide-react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { useBotAppearanceMessages } from '../../../messages/bot-appearance-messages.ts';
import { type Appearance, colourOf, type ColourName, type IconName } from './appearance.ts';
import { COLOURS } from './colours.ts';
import { initialOf } from './initial.ts';
import { LineIcon } from './line-icon.tsx';
import { LINES } from './lines.ts';
import { PictureChoice } from './picture-choice.tsx';

const ICONS = Object.keys(LINES) as readonly IconName[];
/** A radio button needs a value. No icon and no colour has this name. */
const NONE = 'none';

const itemLook =
  'group flex size-9 cursor-pointer items-center justify-center rounded-sm border border-transparent outline-none max-sm:size-11 ' +
  'hover:bg-surface data-[focus-visible]:outline-2 data-[focus-visible]:outline-offset-0 data-[focus-visible]:outline-accent ' +
  'data-[selected]:border-accent data-[selected]:bg-accent-soft data-[selected]:text-accent';

const itemsLook =
  'grid grid-cols-[repeat(auto-fill,minmax(2.25rem,1fr))] gap-y-0.5 max-sm:grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))]';

interface AppearanceChoicesProps {
  readonly bot: Appearance & { readonly title: string };
  readonly onChange: (change: Partial<Appearance>) => void;
  /** Absent for a bot that is not saved yet, which cannot have a picture. */
  readonly saved: PrivateBot | undefined;
}

/** All icons and colours, and the picture. The arrow keys move between them and choose. */
export function AppearanceChoices({ bot: { title, icon, colour }, onChange, saved }: AppearanceChoicesProps) {
  const texts = useBotAppearanceMessages();
  return (
    <>
      <RadioGroup
        value={colour ?? NONE}
        onChange={(value) => onChange({ colour: value === NONE ? null : (value as ColourName) })}
        orientation="horizontal"
        className="flex flex-col gap-1"
      >
        <Label className="text-xs font-medium">{texts.colour}</Label>
        <div className={itemsLook}>
          <Swatch value={NONE} name={texts.noColour} colour={null} />
          {COLOURS.map((name) => (
            <Swatch key={name} value={name} name={texts.colours[name]} colour={colourOf(name)} />
          ))}
        </div>
      </RadioGroup>
      <RadioGroup
        value={icon ?? NONE}
        onChange={(value) => onChange({ icon: value === NONE ? null : (value as IconName) })}
        orientation="horizontal"
        className="flex flex-col gap-1"
      >
        <Label className="text-xs font-medium">{texts.icon}</Label>
        <div className={itemsLook}>
          <Radio value={NONE} aria-label={texts.initial} className={itemLook}>
            <span aria-hidden className="text-sm font-semibold">
              {initialOf(title) ?? '–'}
            </span>
          </Radio>
          {ICONS.map((name) => (
            <Radio key={name} value={name} aria-label={texts.icons[name]} className={itemLook}>
              <LineIcon name={name} />
            </Radio>
          ))}
        </div>
      </RadioGroup>
      {saved && <PictureChoice bot={saved} />}
    </>
  );
}

function Swatch({ value, name, colour }: { readonly value: string; readonly name: string; readonly colour: string | null }) {
  return (
    <Radio value={value} aria-label={name} className={itemLook}>
      <span
        aria-hidden
        className={`flex size-6 items-center justify-center rounded-full ${colour === null ? 'border border-control text-accent' : 'text-bg'}`}
        style={colour === null ? undefined : { backgroundColor: colour }}
      >
        <Check className="hidden size-4 group-data-[selected]:block" />
      </span>
    </Radio>
  );
}
