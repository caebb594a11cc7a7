# readme.pl
#    Whether README.md names every setting, function, table and view that the
#    sources define.
use strict;
use warnings;

sub slurp
{
	my ($file) = @_;
	open my $in, '<', $file or die "could not open $file: $!\n";
	local $/;
	return scalar <$in>;
}

my $readme = slurp('README.md');
my ($settings) = $readme =~ /^## Settings\n(.*?)^## /ms or die "no section on settings\n";
my ($reference) = $readme =~ /^## Reference\n(.*?)^## /ms or die "no reference\n";
my $bad = 0;

sub want
{
	my ($section, $kind, $name) = @_;
	return if $section =~ /`(?:sqlagent\.)?\Q$name\E[`(]/;
	print "README.md does not list $kind $name\n";
	$bad++;
}

my %seen;
my $guc = slurp('src/base/guc.c');
want($settings, 'setting', $_)
  for grep { !$seen{"setting $_"}++ } $guc =~ /"sqlagent\.(\w+)",/g;
for my $script (sort glob 'sql/extension/*.sql')
{
	my $sql = slurp($script);
	while ($sql =~ /^CREATE (FUNCTION|PROCEDURE|TABLE|VIEW) sqlagent\.(\w+)/mg)
	{
		my ($kind, $name) = (lc $1, $2);
		next if $sql =~ /FUNCTION sqlagent\.\Q$name\E\(\)\s+RETURNS (?:event_)?trigger/;
		want($reference, $kind, $name) unless $seen{"$kind $name"}++;
	}
}
exit($bad ? 1 : 0);
