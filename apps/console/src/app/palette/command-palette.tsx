import { type KeyboardEvent, useState } from 'react';
import { Autocomplete, Collection, Header, Input, ListBox, ListBoxItem, ListBoxSection, TextField } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { usePaletteMessages } from '../../messages/palette-messages.ts';
import { isAdmin, useMe } from '../../session/use-me.ts';
import { BotIcon } from '../../pages/bots/icon/bot-icon.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { inputLook, itemLook, sendsMessage } from '../../ui/fields/index.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { type Entry, withEntries } from './entries.ts';
import { type ShellActions, useFixedEntries } from './use-fixed-entries.ts';
import { useFoundEntries } from './use-found-entries.ts';

/** Ctrl+K: goes to a page, a chat, a bot or a person, or runs an action. */
export function CommandPalette({ onClose, ...shell }: ShellActions & { readonly onClose: () => void }) {
  const { common } = useMessages();
  return (
    <Dialog title={common.commands} isOpen onClose={onClose}>
      <Commands shell={shell} onDone={onClose} />
    </Dialog>
  );
}

function Commands({ shell, onDone }: { readonly shell: ShellActions; readonly onDone: () => void }) {
  const { common } = useMessages();
  const texts = usePaletteMessages();
  const me = useMe();
  const [text, setText] = useState('');
  const found = useFoundEntries(text);
  const sections = withEntries([...useFixedEntries(text, shell), ...found.sections]);
  const entries = sections.flatMap((section) => section.entries);
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onDone();
    entry.run();
  };
  const placeholder = isAdmin(me) ? texts.placeholderOfAdmin : texts.placeholder;
  // While a list is filled, no entry has the focus: Enter then takes the first one.
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (sendsMessage(event) && !event.currentTarget.hasAttribute('aria-activedescendant')) run(entries[0]);
  };
  const status = found.isFailed ? texts.failed : found.isSearching ? texts.searching : entries.length === 0 ? texts.noMatch : '';
  return (
    <>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <TextField aria-label={placeholder} autoFocus>
          <Input placeholder={placeholder} onKeyDown={onKeyDown} className={inputLook} />
        </TextField>
        <ScrollArea label={common.commands} className="max-h-[60vh]">
          <ListBox
            aria-label={common.commands}
            items={sections}
            onAction={(id) => run(entries.find((entry) => entry.id === id))}
            className="outline-none"
          >
            {(section) => (
              <ListBoxSection id={section.id}>
                <Header className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{texts.sections[section.id]}</Header>
                <Collection items={section.entries}>
                  {({ id, name, detail, bot }) => (
                    <ListBoxItem id={id} textValue={name} className={`${itemLook} py-1`}>
                      {bot && <BotIcon bot={bot} />}
                      <span className="flex min-w-0 flex-col">
                        <span dir="auto" className="truncate">
                          {name}
                        </span>
                        {detail !== undefined && (
                          <span dir="auto" className="truncate text-xs text-muted">
                            {detail}
                          </span>
                        )}
                      </span>
                    </ListBoxItem>
                  )}
                </Collection>
              </ListBoxSection>
            )}
          </ListBox>
        </ScrollArea>
      </Autocomplete>
      <p role="status" className="min-h-5 text-xs text-muted">
        {status}
      </p>
    </>
  );
}
