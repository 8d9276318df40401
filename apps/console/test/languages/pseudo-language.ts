import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';

/** The file of the pseudo-language, which has the exports of both files of a language. */
async function bundled(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@parlance/source', 'module', 'browser'] },
    build: { write: false, minify: false, lib: { entry: fileURLToPath(new URL('pseudo.ts', import.meta.url)), formats: ['es'] } },
  })) as readonly Rolldown.RolldownOutput[];
  return built[0]!.output[0].code;
}

/** Serves the pseudo-language in place of German, which is also the language that the browser's profile has chosen from now on. */
export async function usePseudoLanguage(context: BrowserContext): Promise<void> {
  const body = await bundled();
  await context.route(/\/assets\/(translation|administration)-[\w-]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  await context.addInitScript("localStorage.setItem('parlance.language', 'de')");
}

/** Visible texts and names for screen readers that have words outside of the brackets of the pseudo-language. */
export function untranslatedOn(page: Page, isData: RegExp): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${find.toString()})(${isData.toString()})`);
}

/** Runs in the page. */
function find(isData: RegExp): readonly string[] {
  // Parts of a text that the console has split are recognised by their accents.
  const isForeign = (text: string) => {
    const outside = text.replace(/^[^⟦]*⟧|⟦[^⟦⟧]*(⟦[^⟦⟧]*⟧[^⟦⟧]*)*(⟧|$)/g, ' ');
    return (
      !isData.test(text.trim()) && outside.split(/[\s,·]+/).some((word) => /^[^\p{L}\p{N}]*[A-Za-z]{2,}/u.test(word) && !isData.test(word))
    );
  };
  const found = new Set<string>();
  const note = (text: string | null, where: string) => {
    if (text !== null && isForeign(text)) found.add(`${where}: ${text.trim().slice(0, 100)}`);
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || element.closest('[data-untranslated], script, style, template, pre, code') !== null) continue;
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'])
      note(element.getAttribute(name), name);
    for (const child of element.childNodes) if (child.nodeType === 3) note(child.textContent, element.tagName.toLowerCase());
  }
  note(document.title, 'document');
  return [...found];
}
