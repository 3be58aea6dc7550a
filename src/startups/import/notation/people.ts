import type { StartupField } from '../../model/fields.ts';
import { MAX_COUNT } from '../../model/vocabulary.ts';
import { checkNumber } from './amount-checks.ts';
import type { Check } from './notations.ts';
import { checkChoice } from './text-checks.ts';

const RANGE = /^(\d+)(?:-(\d+)|(\+))?$/;

/** The check of ranges such as `11-25`, which may be given by a number in one of them. */
export function checkPeople(field: StartupField): Check {
  const choice = checkChoice(field);
  const people = checkNumber(
    { ...field, kind: 'count', minimum: 1, maximum: MAX_COUNT },
    new Set(['number']),
  );
  const ranges = (field.values ?? []).map((value) => {
    const [, from, to = from, isOpen] = RANGE.exec(value) ?? [];
    return { value, from: Number(from), to: isOpen === undefined ? Number(to) : MAX_COUNT };
  });
  const rangeOf = (count: number) => ranges.find(({ from, to }) => count >= from && count <= to)?.value;
  return {
    allowed: `a number of people, or ${choice.allowed}`,
    read: (value) => choice.read(value) ?? rangeOf(Number(people.read(value))),
  };
}
