-- Who used a connection last: an engine and what it worked on, or a person.
alter table connections add column last_used_at timestamptz, add column last_used_by text;
