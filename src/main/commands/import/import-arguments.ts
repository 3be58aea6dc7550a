import { InvalidArgumentError } from 'commander';

type Texts = Readonly<Record<string, string>>;
export type ValuesByField = Readonly<Record<string, Texts>>;

/** Collects `NAME=VALUE` of an option that may be repeated; a name may contain `=` if its value does not. */
export function collectPairs(splitAt: 'first' | 'last') {
  return (text: string, collected: Texts = {}): Texts => {
    const at = splitAt === 'first' ? text.indexOf('=') : text.lastIndexOf('=');
    if (at < 1) {
      throw new InvalidArgumentError('Allowed: a name and a value joined by =.');
    }
    return { ...collected, [text.slice(0, at)]: text.slice(at + 1) };
  };
}

/** Collects `FIELD:TEXT=VALUE` of an option that may be repeated; a text may contain `=` and `:`. */
export function collectValues(text: string, collected: ValuesByField = {}): ValuesByField {
  const [, field = '', meant = '', value = ''] = /^([^:=]+):(.+)=([^=]*)$/s.exec(text) ?? [];
  if (field === '') {
    throw new InvalidArgumentError(
      'Allowed: field:text=value, such as "paymentProvider:Stripe Inc.=stripe".',
    );
  }
  return mergeValues(collected, { [field]: { [meant]: value } });
}

export function mergeValues(...parts: (ValuesByField | undefined)[]): ValuesByField {
  const merged: Record<string, Texts> = {};
  for (const [field, texts] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    merged[field] = { ...merged[field], ...texts };
  }
  return merged;
}
