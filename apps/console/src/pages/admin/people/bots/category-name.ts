/** The name of a rating's category. Besides the reasons of the console, clients choose categories such as `notHelpful`. */
export function categoryName(category: string, reasons: Readonly<Record<string, string>>): string {
  const reason = Object.hasOwn(reasons, category) ? reasons[category] : undefined;
  const words = category
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return reason ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}
