-- Durations as a histogram that adds up: element i counts results with bounds[i] <= milliseconds < bounds[i + 1], the
-- last element everything above. Steps of a fifth keep percentiles within a tenth of the true value. Trailing zeros are
-- left out. The bounds are part of the stored data: changing them needs a migration.
create function latency_bounds() returns integer[] language sql immutable parallel safe as $$
  select '{0,1,2,3,4,5,6,7,8,10,12,14,17,20,24,29,35,42,50,60,72,86,103,124,149,179,215,258,310,372,446,535,642,770,924,
    1109,1331,1597,1916,2299,2759,3311,3973,4768,5722,6866,8239,9887,11864,14237,17084,20501,24601,29521,35425,42510,
    51012,61214,73457,88148,105778,126934,152321,182785,219342,263210,315852,379022,454826,545791,654949}'::integer[]
$$;

create function latency_bucket(duration integer) returns integer language sql immutable parallel safe as $$
  select width_bucket(greatest(duration, 0), latency_bounds())
$$;

create function latency_count(histogram integer[], duration integer) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  bucket integer := width_bucket(greatest(duration, 0), latency_bounds());
  filled integer := coalesce(array_length(histogram, 1), 0);
begin
  if duration is null then
    return histogram;
  elsif filled < bucket then
    return histogram || array_fill(0, array[bucket - filled - 1]) || 1;
  end if;
  histogram[bucket] := histogram[bucket] + 1;
  return histogram;
end $$;

create function latency_add(left_side integer[], right_side integer[]) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  filled integer := coalesce(array_length(left_side, 1), 0);
  wanted integer := coalesce(array_length(right_side, 1), 0);
begin
  if wanted > filled then
    left_side := left_side || array_fill(0, array[wanted - filled]);
  end if;
  for i in 1 .. wanted loop
    if right_side[i] <> 0 then
      left_side[i] := left_side[i] + right_side[i];
    end if;
  end loop;
  return left_side;
end $$;

create aggregate latency_histogram(integer) (sfunc = latency_count, stype = integer[], initcond = '{}', parallel = safe);
create aggregate latency_merge(integer[]) (
  sfunc = latency_add, stype = integer[], initcond = '{}', combinefunc = latency_add, parallel = safe
);

-- The duration below which this fraction of the results lies; straight line inside a bucket, its start in the last one.
create function latency_percentile(histogram integer[], fraction double precision) returns integer
language plpgsql immutable parallel safe as $$
declare
  bounds integer[] := latency_bounds();
  wanted double precision;
  passed bigint := 0;
begin
  select sum(n) * fraction into wanted from unnest(histogram) as n;
  if wanted is null or wanted = 0 then
    return null;
  end if;
  for i in 1 .. array_length(histogram, 1) loop
    if histogram[i] > 0 and passed + histogram[i] >= wanted then
      return bounds[i] + (coalesce(bounds[i + 1], bounds[i] + 1) - 1 - bounds[i]) * (wanted - passed) / histogram[i];
    end if;
    passed := passed + histogram[i];
  end loop;
  return bounds[array_length(histogram, 1)];
end $$;
