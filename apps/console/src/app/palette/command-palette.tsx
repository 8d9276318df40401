import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Input, ListBox, ListBoxItem, TextField } from 'react-aria-components';
import { useAdminPageNames } from '../messages/admin-page-names.ts';
import { useMessages } from '../messages/index.ts';
import { adminPages } from './admin-pages.ts';
import { isAdmin, useMe } from '../session/use-me.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { inputLook, itemLook } from '../ui/fields/index.ts';

/** Ctrl+K: goes to a page by its name. */
export function CommandPalette({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { common } = useMessages();
  return (
    <Dialog title={common.commands} isOpen={isOpen} onClose={onClose}>
      <Commands onDone={onClose} />
    </Dialog>
  );
}

function Commands({ onDone }: { readonly onDone: () => void }) {
  const { common } = useMessages();
  const names = useAdminPageNames();
  const me = useMe();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const pages = [
    { path: '/', name: common.newChat },
    { path: '/bots', name: common.bots },
    { path: '/store', name: common.store },
    { path: '/prompts', name: common.prompts },
    { path: '/account', name: common.account },
    ...(isAdmin(me) ? adminPages(names).map(({ path, name }) => ({ path, name: `${common.admin}: ${name}` })) : []),
  ];
  const found = pages.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const go = (path: string) => {
    onDone();
    void navigate({ to: path });
  };
  return (
    <>
      <TextField
        aria-label={common.commandsPlaceholder}
        value={text}
        onChange={setText}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) go(found[0].path);
          // Escape closes the dialog.
          else event.continuePropagation();
        }}
      >
        <Input placeholder={common.commandsPlaceholder} className={inputLook} />
      </TextField>
      <ListBox
        aria-label={common.commands}
        items={found.map((page) => ({ ...page, id: page.path }))}
        onAction={(path) => go(String(path))}
        renderEmptyState={() => <p className="p-2 text-sm text-muted">{common.noCommand}</p>}
        className="max-h-72 overflow-auto outline-none"
      >
        {({ name, id }) => (
          <ListBoxItem id={id} textValue={name} className={itemLook}>
            {name}
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}
