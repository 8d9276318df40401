import { useShortcutMessages } from '../../messages/shortcut-messages.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { isMac } from './shortcuts.ts';

/** The list of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useShortcutMessages();
  const command = isMac() ? '⌘' : texts.keys.control;
  const { shift, enter, escape } = texts.keys;
  const sections = [
    {
      title: texts.everywhere,
      rows: [
        [texts.palette, [command, 'K']],
        [texts.newChat, [command, shift, 'O']],
        [texts.navigation, [command, 'B']],
        [texts.field, [shift, escape]],
        [texts.list, [command, '/']],
      ],
    },
    {
      title: texts.inMessage,
      rows: [
        [texts.send, [enter]],
        [texts.newLine, [shift, enter]],
        [texts.bot, ['@']],
        [texts.prompt, ['/']],
      ],
    },
  ] as const;
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      {sections.map(({ title, rows }) => (
        <section key={title} className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-muted">{title}</h3>
          <dl className="flex flex-col">
            {rows.map(([name, keys]) => (
              <div key={name} className="flex min-h-9 items-center justify-between gap-4 text-sm">
                <dt>{name}</dt>
                {/* Keys are read from left to right in every language. */}
                <dd dir="ltr" className="flex shrink-0 gap-1">
                  {keys.map((key) => (
                    <kbd key={key} className="rounded-sm border border-line bg-surface px-2 py-0.5 font-mono text-xs">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
