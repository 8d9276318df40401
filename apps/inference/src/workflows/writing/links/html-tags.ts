/** Elements that load a resource or link to one, and attributes that do so in any element. */
export const LINKING_TAG =
  /^<\/?(?:a|area|applet|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|math|meta|object|picture|script|source|style|svg|track|use|video)(?![\w-])/i;
export const LINKING_ATTRIBUTE =
  /[\s"'/](?:href|src\w*|style|action|formaction|background|poster|data|cite|ping|content|codebase|longdesc|lowsrc|dynsrc|profile|manifest|imagesrcset|xlink:href|on\w+)\s*=/i;
/** An end tag without attributes. */
export const HARMLESS_END_TAG = /^<\/[a-z]+\s*>$/i;
/** A link or an image with its address. */
export const SIMPLE_TAG = /^<(?:a|img)\s+(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')(?:\s+(?:alt|title)\s*=\s*"[^"<>:/&\\]*")*\s*\/?>$/i;
/** An address in angle brackets. It may contain non-ASCII spaces. */
export const AUTOLINK = /^<([a-z][a-z0-9+.-]{1,31}:[^ \t\n\v\f\r<>]*|[^ \t\n\v\f\r<>@]+@[^ \t\n\v\f\r<>]+)>$/i;
/** An attribute value without its closing quotation mark: the next `<` or `>` is part of it. */
export const OPEN_VALUE = /^<[a-z][^]*=\s*(?:"[^"]*|'[^']*)$/i;
/** The beginning of an element whose attributes may follow. */
export const BEGUN_ELEMENT = /^<[a-z][\w:-]*[\s/]/i;
/** An unfinished element name at the end of a text. */
export const BEGUN_NAME = /^<[/!?]?[\w:-]*$/;
