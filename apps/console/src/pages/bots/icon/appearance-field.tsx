import type { PrivateBot } from '@parlance/client/types';
import { Suspense } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useBotAppearanceMessages } from '../../../messages/bot-appearance-messages.ts';
import { Button } from '../../../ui/button.tsx';
import type { Appearance } from './appearance.ts';
import { BotIcon } from './bot-icon.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const AppearanceChoices = lazyPart(() => import('./appearance-choices.tsx'), 'AppearanceChoices');

interface AppearanceFieldProps {
  readonly bot: Appearance & { readonly title: string };
  readonly onChange: (change: Partial<Appearance>) => void;
  /** Absent for a bot that is not saved yet. */
  readonly saved?: PrivateBot | undefined;
  /** The server's error. */
  readonly error?: string | undefined;
}

/** Shows the icon of a bot, and opens the choice of another one. */
export function AppearanceField({ bot, onChange, saved, error }: AppearanceFieldProps) {
  const texts = useBotAppearanceMessages();
  return (
    <div role="group" aria-label={texts.label} className="flex items-center gap-3">
      <BotIcon bot={saved ? { ...bot, id: saved.id, picture: saved.picture } : bot} size="large" />
      <div className="flex min-w-0 flex-col items-start gap-1">
        <DialogTrigger>
          <Button size="small">{texts.change}</Button>
          <Popover
            placement="bottom start"
            className="w-112 max-w-[calc(100vw-1.5rem)] overflow-auto rounded-md border border-line bg-raised p-4 shadow-raised"
          >
            <Dialog aria-label={texts.label} className="flex flex-col gap-4 outline-none">
              <Suspense>
                <AppearanceChoices bot={bot} onChange={onChange} saved={saved} />
              </Suspense>
              <Button slot="close" size="small" className="self-end">
                {texts.done}
              </Button>
            </Dialog>
          </Popover>
        </DialogTrigger>
        <span className={error === undefined ? 'text-xs text-muted' : 'text-xs text-bad'}>{error ?? texts.help}</span>
      </div>
    </div>
  );
}
